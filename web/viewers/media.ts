import { fetchFile } from './parts/fetch-file.ts';
import { element, unhide } from './parts/viewer-root.ts';

const player = element('video, audio', HTMLMediaElement);

function showError(): void {
  const stage = player.parentElement;
  if (stage !== null) stage.hidden = true;
  unhide('#unplayed');
}

/** The script rewrites sounds that are numbers without compression; others stay with the browser. */
const rewritten = { name: /\.(?:wave?|aif[fc]?|au|snd)$/i, bytes: 100 * 1024 * 1024 } as const;
let isTried = false;

/** The browser could not play it: it may play the same sound as another file. */
async function tryRewritten(): Promise<void> {
  const address = player.getAttribute('src') ?? '';
  if (!rewritten.name.test(address)) return showError();
  // One error may be told twice: by its event, and by what the script finds.
  if (isTried) return;
  isTried = true;
  const [{ pcmWave }, bytes] = await Promise.all([
    import('./parts/pcm-wave.ts'),
    fetchFile(address, rewritten.bytes),
  ]);
  const wave = pcmWave(bytes);
  if (wave === undefined) return showError();
  player.src = URL.createObjectURL(new Blob([wave], { type: 'audio/wav' }));
}

function followError(): void {
  tryRewritten().catch(showError);
}

player.addEventListener('error', followError);
// The error may have come before this script.
if (player.error !== null) followError();

player.addEventListener('loadedmetadata', () => {
  // A video whose pictures have an unknown format still has a sound that plays.
  if (!(player instanceof HTMLVideoElement) || player.videoWidth > 0) return;
  player.parentElement?.classList.add('sound-only');
  unhide('#unseen');
});

const mostSubtitleBytes = 4 * 1024 * 1024;

/** Fills a track from a SubRip file. */
async function fillTrack(element: HTMLTrackElement, address: string): Promise<void> {
  const [{ readSubRip }, { decodeText }, bytes] = await Promise.all([
    import('./parts/sub-rip.ts'),
    import('./tables/decode-table.ts'),
    fetchFile(address, mostSubtitleBytes),
  ]);
  for (const { from, to, text } of readSubRip(decodeText(bytes))) {
    element.track.addCue(new VTTCue(from, to, text));
  }
  // A browser never shows a track without a source, even if the track is switched on.
  if (element.default) element.track.mode = 'showing';
}

// A film without its subtitles is still a film.
for (const track of document.querySelectorAll<HTMLTrackElement>('track[data-srt]')) {
  fillTrack(track, track.dataset['srt'] ?? '').catch(() => undefined);
}
