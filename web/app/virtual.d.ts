declare module 'virtual:operations' {
  export const operations: Record<
    string,
    {
      id: string;
      method: string;
      path: string;
      body: 'none' | 'json' | 'upload';
      envelope: 'data' | 'bare';
    }
  >;
}
declare module 'virtual:connect-guide' {
  export const guide: { name: string; blocks: { kind: 'text' | 'code'; text: string }[] }[];
}
declare module 'virtual:stylesheet.css';
declare module '*.css';
/** Browsers with a dialog for the place of a file that is written bit by bit. */
interface Window {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}
