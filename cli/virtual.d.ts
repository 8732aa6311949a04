/** The operations of the contract, without their schemas (scripts/bundle-command.ts). */
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
