/** highlight.js with every language that a single file may have. */
export declare const hljs: {
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ): { value: string };
};
