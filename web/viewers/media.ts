import { fetchFile } from './parts/fetch-file.ts';
import { readSubRip } from './parts/sub-rip.ts';
import { element, unhide } from './parts/viewer-root.ts';
import { decodeText } from './tables/decode-table.ts';

const player = element('video, audio', HTMLMediaElement);

function showError(): void {
  const stage = player.parentElement;
  if (stage !== null) stage.hidden = true;
  unhide('#unplayed');
}

// The error may have come before this script.
if (player.error === null) player.addEventListener('error', showError);
else showError();

player.addEventListener('loadedmetadata', () => {
  // A video whose pictures have an unknown format still has a sound that plays.
  if (!(player instanceof HTMLVideoElement) || player.videoWidth > 0) return;
  player.parentElement?.classList.add('sound-only');
  unhide('#unplayed');
});

const mostSubtitleBytes = 4 * 1024 * 1024;

/** Fills a track from a SubRip file. A film without its subtitles is still a film. */
async function fillTrack(element: HTMLTrackElement, address: string): Promise<void> {
  const bytes = await fetchFile(address, mostSubtitleBytes).catch(() => undefined);
  if (bytes === undefined) return;
  for (const { from, to, text } of readSubRip(decodeText(bytes))) {
    element.track.addCue(new VTTCue(from, to, text));
  }
  // A browser never shows a track without a source, even if the track is switched on.
  if (element.default) element.track.mode = 'showing';
}

for (const track of document.querySelectorAll<HTMLTrackElement>('track[data-srt]')) {
  void fillTrack(track, track.dataset['srt'] ?? '');
}
