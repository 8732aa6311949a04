import { element, unhide } from './parts/viewer-root.ts';

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
