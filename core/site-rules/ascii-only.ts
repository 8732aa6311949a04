/** Text for a Location field: what is no visible ASCII is percent-encoded, what is encoded stays. */
export function asciiOnly(text: string): string {
  return text.replace(/\p{Cs}/gu, '').replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
