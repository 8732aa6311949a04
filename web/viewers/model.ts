import { fetchFile, ViewerError } from './parts/fetch-file.ts';
import { loadModel } from './parts/load-model.ts';
import { ModelScene } from './parts/model-scene.ts';
import { runViewer } from './parts/viewer-root.ts';

const maxBytes = 100 * 1024 * 1024;

const turn = Math.PI / 12;
const zoom = 1.25;

const keys = new Map<string, (scene: ModelScene) => void>([
  ['ArrowLeft', (scene) => scene.turn(-turn, 0)],
  ['ArrowRight', (scene) => scene.turn(turn, 0)],
  ['ArrowUp', (scene) => scene.turn(0, -turn)],
  ['ArrowDown', (scene) => scene.turn(0, turn)],
  ['+', (scene) => scene.zoom(zoom)],
  ['=', (scene) => scene.zoom(zoom)],
  ['-', (scene) => scene.zoom(1 / zoom)],
  ['0', (scene) => scene.reset()],
  ['Home', (scene) => scene.reset()],
]);

function listen(scene: ModelScene): void {
  scene.canvas.addEventListener('keydown', (event) => {
    const act = keys.get(event.key);
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act(scene);
  });
  const controls = document.querySelector<HTMLElement>('[data-controls]');
  if (!controls) return;
  const motion = controls.querySelector<HTMLElement>('[data-do="play"]');
  if (motion) motion.hidden = !scene.hasMotion;
  motion?.setAttribute('aria-pressed', String(scene.isMoving));
  controls.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button) press(button, scene);
  });
}

const buttons = new Map<string, (scene: ModelScene) => boolean | void>([
  ['in', (scene) => scene.zoom(zoom)],
  ['out', (scene) => scene.zoom(1 / zoom)],
  ['reset', (scene) => scene.reset()],
  ['wires', (scene) => scene.toggleWires()],
  ['play', (scene) => scene.toggleMotion()],
]);

/** A toggle exposes its state to assistive technology. */
function press(button: HTMLElement, scene: ModelScene): void {
  const isOn = buttons.get(button.dataset['do'] ?? '')?.(scene);
  if (isOn !== undefined) button.setAttribute('aria-pressed', String(isOn));
}

/** The model is shown without them. */
function sayMissing(missing: readonly string[]): void {
  const remark = document.querySelector<HTMLElement>('[data-remark]');
  if (remark === null || missing.length === 0) return;
  const named = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ' and more' : '');
  remark.textContent = `Shown without files that are not beside it: ${named}.`;
  remark.hidden = false;
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(async (root) => {
  if (document.createElement('canvas').getContext('webgl2') === null) {
    throw new ViewerError('This browser cannot draw 3D models (WebGL 2 is missing or turned off).');
  }
  const { decoders = '', beside } = root.stage.dataset;
  const folder =
    beside === undefined ? undefined : new URL('.', new URL(root.source, location.href)).href;
  const bytes = await fetchFile(root.source, maxBytes);
  const model = await loadModel({ name: root.name, bytes, decoders, folder });
  const scene = new ModelScene(root.stage, model);
  sayMissing(model.missing);
  scene.canvas.setAttribute(
    'aria-label',
    `3D model ${root.name}. Use the arrow keys to rotate it, plus and minus to zoom, and 0 to reset the view.`,
  );
  listen(scene);
});
