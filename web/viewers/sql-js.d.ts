/** The parts of `sql.js` that we use; it brings no types. */
declare module 'sql.js' {
  type Value = string | number | bigint | Uint8Array | null;

  interface Statement {
    step(): boolean;
    get(parameters: null, config: { useBigInt: boolean }): Value[];
    getColumnNames(): string[];
    free(): boolean;
  }

  export interface Database {
    run(sql: string): Database;
    exec(sql: string): { columns: string[]; values: Value[][] }[];
    prepare(sql: string): Statement;
    export(): Uint8Array;
  }

  export default function initSqlJs(options?: {
    locateFile: () => string;
  }): Promise<{ Database: new (bytes?: Uint8Array) => Database }>;
}
