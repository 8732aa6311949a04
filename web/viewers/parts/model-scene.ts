import {
  AnimationMixer,
  Box3,
  DirectionalLight,
  HemisphereLight,
  Material,
  Mesh,
  MeshStandardMaterial,
  NeutralToneMapping,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  SkinnedMesh,
  Sphere,
  Spherical,
  Timer,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { Model } from './load-model.ts';
import { ViewerError } from './fetch-file.ts';

const fieldOfView = 40;

/** A model in even light that can be turned, brought near and looked at from all sides. */
export class ModelScene {
  readonly canvas: HTMLCanvasElement;
  readonly hasMotion: boolean;
  isMoving = false;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(fieldOfView);
  readonly #controls: OrbitControls;
  readonly #mixer: AnimationMixer;
  readonly #timer = new Timer();
  readonly #model: Model;
  readonly #ball = new Sphere();
  #isDue = false;

  /** Fills `stage` and follows its size. */
  constructor(stage: HTMLElement, model: Model) {
    this.#model = model;
    const box = boundsInMotion(model);
    if (box.isEmpty()) throw new ViewerError('The model is empty.');
    box.getBoundingSphere(this.#ball);
    // The background is that of the page, light or dark.
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.canvas = this.#renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'img');
    this.#light();
    this.#scene.add(model.object);
    stage.append(this.canvas);
    this.#controls = new OrbitControls(this.#camera, this.canvas);
    this.#controls.addEventListener('change', () => this.#draw());
    this.#mixer = new AnimationMixer(model.object);
    this.hasMotion = model.clips.length > 0;
    for (const clip of model.clips) this.#mixer.clipAction(clip).play();
    this.reset();
    new ResizeObserver(() => this.#resize(stage)).observe(stage);
    this.#resize(stage);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (this.hasMotion && !still) this.toggleMotion();
  }

  /** Looks at all of it again, from a little above. */
  reset(): void {
    const { center, radius } = this.#ball;
    const size = radius > 0 ? radius : 1;
    const narrow = Math.min(1, this.#camera.aspect);
    const distance = (size / Math.sin((fieldOfView * Math.PI) / 360) / narrow) * 1.05;
    this.#camera.near = size / 100;
    this.#camera.far = distance + size * 100;
    this.#camera.updateProjectionMatrix();
    this.#controls.target.copy(center);
    this.#controls.minDistance = size / 20;
    this.#controls.maxDistance = size * 50;
    const from = new Spherical(distance, Math.PI * 0.38, Math.PI * 0.2);
    this.#camera.position.setFromSpherical(from).add(center);
    this.#controls.update();
    this.#draw();
  }

  /** Goes around it by two angles, in radians. */
  turn(around: number, down: number): void {
    this.#move((from) => {
      from.theta += around;
      from.phi += down;
    });
  }

  /** Goes nearer by a factor above 1, away by one below. */
  zoom(factor: number): void {
    this.#move((from) => {
      from.radius /= factor;
    });
  }

  /** Shows edges alone, or surfaces again; tells whether it is edges now. */
  toggleWires(): boolean {
    let wires = false;
    this.#model.object.traverse((part) => {
      if (!(part instanceof Mesh)) return;
      for (const material of [part.material].flat()) {
        if (!(material instanceof Material) || !('wireframe' in material)) continue;
        wires = material.wireframe !== true;
        material.wireframe = wires;
      }
    });
    this.#draw();
    return wires;
  }

  /** Starts or halts its motion; tells whether it moves now. */
  toggleMotion(): boolean {
    this.isMoving = !this.isMoving;
    this.#timer.update();
    this.#renderer.setAnimationLoop(this.isMoving ? () => this.#step() : null);
    return this.isMoving;
  }

  #step(): void {
    this.#timer.update();
    this.#mixer.update(this.#timer.getDelta());
    this.#renderer.render(this.#scene, this.#camera);
  }

  #move(change: (from: Spherical) => void): void {
    const { target } = this.#controls;
    const from = new Spherical().setFromVector3(this.#camera.position.clone().sub(target));
    change(from);
    from.makeSafe();
    this.#camera.position.setFromSpherical(from).add(target);
    this.#controls.update();
    this.#draw();
  }

  /** Metal shows what it mirrors, so it gets a room to mirror; anything else needs only lamps. */
  #light(): void {
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(2, 4, 3);
    this.#scene.add(sun);
    if (!isMetallic(this.#model)) {
      this.#scene.add(new HemisphereLight(0xffffff, 0x6d7f86, 1.8));
      return;
    }
    const room = new PMREMGenerator(this.#renderer);
    this.#scene.environment = room.fromScene(new RoomEnvironment(), 0.04).texture;
    this.#scene.environmentIntensity = 0.6;
    room.dispose();
  }

  #resize(stage: HTMLElement): void {
    const { clientWidth, clientHeight } = stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    const first = this.canvas.dataset['fitted'] === undefined;
    this.canvas.dataset['fitted'] = '';
    this.#renderer.setSize(clientWidth, clientHeight);
    this.#camera.aspect = clientWidth / clientHeight;
    this.#camera.updateProjectionMatrix();
    if (first) this.reset();
    this.#draw();
  }

  /** Once per frame, and only when something has changed. */
  #draw(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#renderer.render(this.#scene, this.#camera);
    });
  }
}

const sampledPoses = 16;
/** More points than this would take seconds to look at in every pose. */
const mostSampledPoints = 300_000;

/** The room that a model takes while it moves, so that it does not leave the picture. */
function boundsInMotion({ object, clips }: Model): Box3 {
  const box = new Box3().setFromObject(object);
  let points = 0;
  object.traverse((part) => {
    if (part instanceof Mesh) points += part.geometry.getAttribute('position')?.count ?? 0;
  });
  const longest = Math.max(0, ...clips.map(({ duration }) => duration));
  if (points > mostSampledPoints || longest === 0) return box;
  const mixer = new AnimationMixer(object);
  for (const clip of clips) mixer.clipAction(clip).play();
  for (let pose = 0; pose < sampledPoses; pose += 1) {
    mixer.setTime((longest * pose) / sampledPoses);
    object.updateMatrixWorld(true);
    object.traverse((part) => {
      if (part instanceof SkinnedMesh) part.computeBoundingBox();
    });
    box.expandByObject(object);
  }
  mixer.stopAllAction();
  return box;
}

function isMetallic({ object }: Model): boolean {
  let found = false;
  object.traverse((part) => {
    if (!(part instanceof Mesh)) return;
    for (const material of [part.material].flat()) {
      if (material instanceof MeshStandardMaterial && material.metalness > 0.3) found = true;
    }
  });
  return found;
}
