/** Ids of selected tracks in addresses and forms. */

/** The API takes no more at once. */
const MOST = 100;

export const idsOf = (list = ""): number[] => {
  const ids = list.split(",").filter((each) => /^[1-9][0-9]{0,15}$/.test(each));
  return [...new Set(ids.map(Number))].slice(0, MOST);
};

export const pathOf = (path: string, ids: number[]): string =>
  `${path}?${new URLSearchParams({ all: ids.join(",") })}`;

export const countOf = ({ length }: readonly unknown[]): string =>
  length === 1 ? "1 track" : `${length} tracks`;
