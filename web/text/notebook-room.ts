/** UTF-8; beyond this, pictures and long outputs are left out, each with a remark. */
const mostBytes = 3_000_000;

/** Cells as long as there is room, with remarks where some are left out. */
export function inRoom(all: readonly string[]): string[] {
  const parts: string[] = [];
  let room = mostBytes;
  let leftOut = 0;
  const say = () => {
    if (leftOut > 0) parts.push(leftOutRemark(leftOut));
    leftOut = 0;
  };
  for (const markup of all) {
    const bytes = Buffer.byteLength(markup);
    if (bytes > room) {
      leftOut += 1;
      continue;
    }
    say();
    room -= bytes;
    parts.push(markup);
  }
  say();
  return parts;
}

function leftOutRemark(count: number): string {
  return remark(
    count === 1
      ? 'A cell is left out, because it is too large to show here.'
      : `${count} cells are left out, because they are too large to show here.`,
  );
}

/** A note of ours between the parts of a notebook. */
export function remark(text: string): string {
  return `<p class="hint">${text}</p>`;
}
