import { type PresentationData, renderSlide, type SlideData } from '@aiden0z/pptx-renderer';
import { restrictLinks } from './restrict-links.ts';

/** As long as smooth scrolling takes. */
const quietMs = 900;
/** The height of the page's tools, which stay in view. */
const toolsPixels = 56;

/** The slides of a deck, one below the other; each is drawn when it comes near and then stays. */
export class Slides {
  readonly #deck: PresentationData;
  readonly #stage: HTMLElement;
  readonly #items: HTMLElement[];
  readonly #onMove: (number: number) => void;
  readonly #media = new Map<string, string>();
  #current = 0;
  /** Scroll events before this time were caused by this code. */
  #quietUntil = 0;

  /** @param onMove called with the number of the visible slide, from 1 */
  constructor(deck: PresentationData, stage: HTMLElement, onMove: (number: number) => void) {
    this.#deck = deck;
    this.#stage = stage;
    this.#onMove = onMove;
    const list = document.createElement('ol');
    this.#items = deck.slides.map((_, index) => item(index, deck.slides.length));
    list.append(...this.#items);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    // Slides bring styles of their own and must not take those of the page.
    const shadow = stage.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [sheet];
    shadow.append(list);
    list.style.setProperty('--width', String(deck.width));
    list.style.setProperty('--height', String(deck.height));
    this.#fit(list);
    this.#drawWhenNear();
    addEventListener('scroll', () => this.#follow(), { passive: true, capture: true });
    onMove(1);
  }

  /** Goes so many slides on, or back. */
  go(step: number): void {
    this.#show(this.#current + step);
  }

  #show(index: number): void {
    const target = this.#items[Math.min(Math.max(index, 0), this.#items.length - 1)];
    this.#quietUntil = performance.now() + quietMs;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    target?.scrollIntoView({ behavior: still ? 'instant' : 'smooth', block: 'center' });
    if (target) this.#moveTo(this.#items.indexOf(target));
  }

  #moveTo(index: number): void {
    if (index === this.#current) return;
    this.#current = index;
    this.#onMove(index + 1);
  }

  #fit(list: HTMLElement): void {
    const { width, height } = this.#deck;
    const update = () => {
      const wide = list.clientWidth / width;
      const full = document.fullscreenElement === this.#stage;
      const scale = full ? Math.min(wide, innerHeight / height) : wide;
      list.style.setProperty('--scale', String(scale));
    };
    new ResizeObserver(update).observe(list);
    document.addEventListener('fullscreenchange', () => {
      update();
      this.#items[this.#current]?.scrollIntoView({ behavior: 'instant', block: 'center' });
    });
    update();
  }

  #drawWhenNear(): void {
    const near = new IntersectionObserver(
      (seen) => {
        for (const { target, isIntersecting } of seen) {
          const index = this.#items.findIndex((item) => item === target);
          const slide = this.#deck.slides[index];
          if (!isIntersecting || slide === undefined) continue;
          near.unobserve(target);
          this.#draw(slide, target);
        }
      },
      { rootMargin: '150%' },
    );
    for (const item of this.#items) near.observe(item);
  }

  /** The current slide is the first whose lower half is in view; several slides may be in view. */
  #follow(): void {
    if (performance.now() < this.#quietUntil) return;
    const index = this.#items.findIndex((item) => {
      const { top, height } = item.getBoundingClientRect();
      return top + height / 2 > toolsPixels;
    });
    if (index !== -1) this.#moveTo(index);
  }

  #draw(slide: SlideData, item: Element): void {
    const { element } = renderSlide(this.#deck, slide, {
      mediaUrlCache: this.#media,
      pdfjs: false,
      onNavigate: ({ slideIndex, url = '' }) => {
        if (slideIndex !== undefined) this.#show(slideIndex);
        else if (/^(?:https?:\/\/|mailto:)/i.test(url))
          window.open(url, '_blank', 'noopener,noreferrer');
      },
    });
    restrictLinks(element);
    nameGraphics(element);
    replacePlayers(element);
    // Charts come later.
    new MutationObserver(() => {
      nameGraphics(element);
      replacePlayers(element);
    }).observe(element, {
      childList: true,
      subtree: true,
    });
    item.querySelector('.slide')?.append(element);
  }
}

/** Shapes say nothing to a screen reader; charts are drawn on a canvas, pictures have no words of ours. */
function nameGraphics(slide: Element): void {
  for (const shape of slide.querySelectorAll('svg')) {
    if (shape.textContent.trim() === '') shape.setAttribute('aria-hidden', 'true');
  }
  for (const picture of slide.querySelectorAll('img:not([alt])')) picture.setAttribute('alt', '');
  for (const chart of slide.querySelectorAll('canvas')) {
    chart.setAttribute('role', 'img');
    chart.setAttribute('aria-label', 'Chart');
  }
}

/** Most sounds have a picture smaller than a player: the picture is their button. */
function replacePlayers(slide: Element): void {
  for (const player of slide.querySelectorAll<HTMLAudioElement>('audio[controls]')) {
    player.controls = false;
    const button = document.createElement('button');
    const tell = () => {
      button.textContent = player.paused ? '▶' : '⏸';
      button.setAttribute('aria-label', player.paused ? 'Play the sound' : 'Pause the sound');
    };
    button.addEventListener('click', () => {
      if (player.paused)
        player.play().catch(() => (button.textContent = 'This sound cannot be played'));
      else player.pause();
    });
    for (const event of ['play', 'pause', 'ended']) player.addEventListener(event, tell);
    tell();
    player.after(button);
  }
}

function item(index: number, count: number): HTMLElement {
  const item = document.createElement('li');
  item.setAttribute('aria-label', `Slide ${index + 1} of ${count}`);
  const frame = document.createElement('div');
  frame.className = 'frame';
  const slide = document.createElement('div');
  slide.className = 'slide';
  frame.append(slide);
  item.append(frame);
  return item;
}

/** Slides are drawn at their own size and made smaller as a whole: their texts keep their lines. */
const styles = `
:host{color-scheme:light;color:#000;font:1rem/1.2 Calibri,Carlito,"Segoe UI",Arial,sans-serif;text-align:left}
ol{list-style:none;margin:0;padding:0;display:grid;gap:1.25rem}
li{scroll-margin:1rem}
.frame{width:calc(var(--width)*var(--scale)*1px);height:calc(var(--height)*var(--scale)*1px);overflow:hidden;background:#fff;border-radius:4px;box-shadow:0 0 0 1px #7775;contain:strict;margin-inline:auto}
.slide{width:calc(var(--width)*1px);height:calc(var(--height)*1px);transform:scale(var(--scale));transform-origin:0 0}
.slide div:has(>table){overflow:visible!important}
.slide div:has(>audio){overflow:visible!important}
.slide div:has(>audio)>img{height:100%!important}
.slide audio+button{position:absolute;right:0;bottom:0;min-width:32px;min-height:32px;border:0;border-radius:4px;background:#000a;color:#fff;font:16px/1 sans-serif;cursor:pointer}
.slide [style*="nowrap"]>div{width:max-content!important;min-width:100%!important;max-width:none!important}
.slide [style*="nowrap"]>[style*="text-align: center"]{align-self:center}
.slide [style*="nowrap"]>[style*="text-align: right"]{align-self:flex-end}
:focus-visible{outline:3px solid #17616d;outline-offset:2px}
:host(:fullscreen){background:#000;overflow:auto;scroll-snap-type:y mandatory}
:host(:fullscreen) ol{gap:0}
:host(:fullscreen) li{min-height:100vh;display:grid;align-content:center;scroll-snap-align:start;scroll-margin:0}
:host(:fullscreen) .frame{border-radius:0;box-shadow:none}
`;
