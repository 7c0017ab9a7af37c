/** A page of a listing. `next` is where the next one begins, if there is one. */
interface Page {
  bytes: number;
  next: string | undefined;
}

export async function sumOfPages(list: (after: string | undefined) => Promise<Page>): Promise<number> {
  let sum = 0;
  let after: string | undefined;
  do {
    const { bytes, next } = await list(after);
    sum += bytes;
    after = next;
  } while (after !== undefined);
  return sum;
}
