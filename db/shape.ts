import * as z from "zod";

/** What a function answers with. Building a shape takes a millisecond, so it is built where a reply is first checked. */
export type Shape<Reply> = () => z.ZodType<Reply>;

/** The type of what a shape lets pass. */
export type Told<Made extends () => z.ZodType> = z.output<ReturnType<Made>>;

/** A change that was done, with what else it tells; or one that was refused, and why. */
export const changeOf = <Refusal extends z.ZodType, Done extends z.ZodRawShape>(
  refusal: Refusal,
  done: Done,
) => z.union([z.strictObject({ outcome: z.literal("done"), ...done }), z.strictObject({ outcome: refusal })]);

const built = new WeakMap<Shape<unknown>, z.ZodType>();

/** Named for what differs: a log keeps names of errors, and no message. It says no value. */
class UnexpectedReply extends Error {
  constructor(name: string, issues: z.core.$ZodIssue[]) {
    super(`The reply of ${name} has another shape`);
    this.name = `UnexpectedReply of ${name}: ${closest(issues).join("; ")}`;
  }
}

/** Of a union, what keeps the reply from the member that it is most like. */
function closest(issues: z.core.$ZodIssue[]): string[] {
  return issues.flatMap((issue) => {
    if (issue.code === "invalid_union" && issue.errors.length) {
      const [least = []] = issue.errors.map(closest).sort((a, b) => a.length - b.length);
      return least.map((each) => [...issue.path, each].join("."));
    }
    const keys = issue.code === "unrecognized_keys" ? issue.keys : undefined;
    return (
      keys?.map((key) => [...issue.path, key, " is unknown"].join(".")) ?? [
        [...issue.path, ` ${issue.message}`].join("."),
      ]
    );
  });
}

/** The reply as it came, or an error that names what differs. */
export function checked<Reply>(name: string, shape: Shape<Reply>, reply: unknown): Reply {
  const schema = built.get(shape) ?? shape();
  built.set(shape, schema);
  const { success, error } = schema.safeParse(reply);
  if (!success) throw new UnexpectedReply(name, error.issues);
  return reply as Reply;
}
