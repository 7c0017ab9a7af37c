import { isId } from "../../../lib/text/fields.ts";

/** Ids of selected tracks in addresses and forms. */

/** The API takes no more at once. */
const MOST = 100;

export const idsOf = (list = ""): number[] => {
  const ids = list.split(",").filter((each) => isId(each));
  return [...new Set(ids.map(Number))].slice(0, MOST);
};

export const pathOf = (path: string, ids: number[]): string =>
  `${path}?${new URLSearchParams({ all: ids.join(",") })}`;

export const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? "1 track" : `${length} tracks`;
