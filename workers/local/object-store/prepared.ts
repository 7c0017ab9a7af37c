import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/** Statements that are prepared at their first use. Node's `createTagStore` does the same, but not in version 22. */
export function preparedStatements(database: DatabaseSync) {
  const prepared = new WeakMap<TemplateStringsArray, StatementSync>();
  const statementOf = (texts: TemplateStringsArray): StatementSync => {
    const known = prepared.get(texts) ?? database.prepare(texts.join("?"));
    prepared.set(texts, known);
    return known;
  };
  type Values = SQLInputValue[];
  return {
    get: (texts: TemplateStringsArray, ...values: Values) => statementOf(texts).get(...values),
    all: (texts: TemplateStringsArray, ...values: Values) => statementOf(texts).all(...values),
    run: (texts: TemplateStringsArray, ...values: Values) => statementOf(texts).run(...values),
    iterate: (texts: TemplateStringsArray, ...values: Values) => statementOf(texts).iterate(...values),
  };
}
