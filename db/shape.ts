import * as z from "zod";

/** Schema of a function's reply. Building one takes a millisecond, so the first check builds it. */
export type Shape<Reply> = () => z.ZodType<Reply>;

/** The type of a reply that fits the shape. */
export type ReplyOf<Made extends () => z.ZodType> = z.output<ReturnType<Made>>;

/** Shape of a change: `done` with further fields, or the reason for its refusal. */
export const changeOf = <Refusal extends z.ZodType, Done extends z.ZodRawShape>(
  refusal: Refusal,
  done: Done,
) => z.union([z.strictObject({ outcome: z.literal("done"), ...done }), z.strictObject({ outcome: refusal })]);

const built = new WeakMap<Shape<unknown>, z.ZodType>();

/** The error's name holds the differences, because logs keep the name and drop the message. It contains no values. */
class UnexpectedReply extends Error {
  constructor(name: string, issues: z.core.$ZodIssue[]) {
    super(`The reply of ${name} has another shape`);
    this.name = `UnexpectedReply of ${name}: ${closest(issues).join("; ")}`;
  }
}

/** Picks the member of a union that fits best and returns its issues. */
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

/** Returns the reply unchanged, or throws an error that names the differences. */
export function checked<Reply>(name: string, shape: Shape<Reply>, reply: unknown): Reply {
  const schema = built.get(shape) ?? shape();
  built.set(shape, schema);
  const { success, error } = schema.safeParse(reply);
  if (!success) throw new UnexpectedReply(name, error.issues);
  return reply as Reply;
}
