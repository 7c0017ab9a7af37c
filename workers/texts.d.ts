/** Texts are modules for wrangler. */
declare module "*.txt" {
  const text: string;
  export default text;
}
