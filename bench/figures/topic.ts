// How a topic of figures names the results that a reader sees.

export interface Column {
  header: string;
  /** Name of the value. */
  key: string;
  /** Name of the result, of the row's name; without it, the row's name is the result's. */
  of?: (row: string) => string;
}

export interface FigureTable {
  title: string;
  /** What it measures, and on what. */
  text: string;
  /** File in bench/results, without its extension. */
  results: string;
  command: string;
  /** Result names, or parts of them from which the columns make names. A pair has another label than its name. */
  rows: readonly (string | readonly [name: string, label: string])[];
  columns: readonly Column[];
}

export interface FigureTopic {
  title: string;
  tables: readonly FigureTable[];
}

export const bench = (name: string) => `npm run bench -- ${name}`;
export const prefixed = (prefix: string) => (row: string) => `${prefix}${row}`;
export const suffixed = (suffix: string) => (row: string) => `${row}${suffix}`;
/** Columns whose headers are the names of their values. */
export const plain = (...keys: string[]): Column[] => keys.map((key) => ({ header: key, key }));
