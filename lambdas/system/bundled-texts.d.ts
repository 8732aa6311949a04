/** A file of `docs/`, whose text the bundle contains. */
declare module '*.md' {
  const text: string;
  export default text;
}

/** The command line (`cli/`), which scripts/bundle-command.ts makes. */
declare module 'virtual:command' {
  export const code: string;
  /** Names the code. */
  export const build: string;
}
