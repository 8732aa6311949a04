/** A text that is shown over a film. */
export interface Cue {
  /** Seconds from the start of the film. */
  from: number;
  to: number;
  text: string;
}

/** Films have a few thousand. */
const mostCues = 20_000;

const times =
  /(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})[ \t]*-->[ \t]*(\d{1,3}):(\d{2}):(\d{2})[,.](\d{1,3})/;

/** The texts of a SubRip file (`.srt`): blocks of lines, each after the line with its times. */
export function readSubRip(file: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of file.replaceAll(/\r\n?/g, '\n').split(/\n{2,}/)) {
    const lines = block.split('\n');
    const index = lines.findIndex((line) => times.test(line));
    const found = times.exec(lines[index] ?? '');
    if (found === null) continue;
    const [from, to] = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
    const text = lines
      .slice(index + 1)
      .join('\n')
      .trim();
    if (to > from && text !== '') cues.push({ from, to, text });
    if (cues.length === mostCues) break;
  }
  return cues;
}

function secondsOf([hours = '', minutes = '', seconds = '', fraction = '']: string[]): number {
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole + Number(`0.${fraction}`);
}
