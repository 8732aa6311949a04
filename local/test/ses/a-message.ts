export const base64 = (text: string) => Buffer.from(text).toString('base64');
export const part = (type: string, text: string) =>
  `--b\r\nContent-Type: ${type}; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(text)}\r\n`;

/** A message with a text and its HTML, as the service sends. */
export function aMessage(from: string): string {
  const headers = [
    `From: ${from}`,
    'To: Ann <ann@example.com>',
    'Subject: Your code: 123456 & more',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b"',
  ];
  const parts = part('text/plain', 'Line one\nLine two') + part('text/html', '<b>Hi</b>');
  return `${headers.join('\r\n')}\r\n\r\n${parts}--b--\r\n`;
}
