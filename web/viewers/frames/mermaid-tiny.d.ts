/** The package brings no types; it is imported for its effect, a global. */
declare module '@mermaid-js/tiny';

declare const mermaid: {
  initialize(settings: Readonly<Record<string, unknown>>): void;
  render(id: string, text: string): Promise<{ svg: string }>;
};
