/** The shell commands for an upload link. `FILE` stands for the path of one file. */
export interface UploadCommands {
  /** For files that fit into one request. */
  curl: string;
  /** For a file of any size: asks for a signed URL, sends the file to it, and publishes. */
  curlAnySize: string;
}

/**
 * Commands that need only `sh`, `curl` and `sed`.
 *
 * One PUT is not enough for large files: the API accepts 10 MB, and the edge function in front of
 * it cannot sign a URL for storage. Redirects do not help: after a 303 curl sends a GET, and after
 * a 307 it sends the whole file again to an address that refuses it.
 * @param link the address of the link, which has no characters that a shell acts on
 */
export function uploadCommands(link: string): UploadCommands {
  const json = "-H 'content-type: application/json'";
  const call = `curl -sS --fail-with-body ${json}`;
  const valueOf = (name: string) => `$(printf %s "$A" | sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/')`;
  const announcement = String.raw`{\"files\":[{\"path\":\"$(basename "$F")\",\"size\":$(($(wc -c <"$F")))}]}`;
  const begin = `A=$(${call} "$L/uploads" -d "${announcement}")`;
  const send = `curl -sS -f -T "$F" "${valueOf('url')}"`;
  const publish = String.raw`${call} -X PUT "$L" -d "{\"uploadId\":\"${valueOf('uploadId')}\"}"`;
  return {
    curl: `curl -X PUT -F files=@FILE '${link}'`,
    curlAnySize: `F='FILE' L='${link}'; if ${begin}; then ${send} && ${publish}; else echo "$A"; false; fi`,
  };
}
