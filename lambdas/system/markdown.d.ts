/** A file of `docs/`, whose text the bundle contains. */
declare module '*.md' {
  const text: string;
  export default text;
}
