/**
 * Opens the pictures of a folder one at a time, over the page; without it they are plain links. The open one is in the
 * address: a reload opens it again, and Back closes it.
 */
const dialog = document.querySelector<HTMLDialogElement>('dialog.lightbox');
const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-gallery] a')];
if (dialog && links.length > 0) openByClick(dialog);

function openByClick(dialog: HTMLDialogElement): void {
  const picture = dialog.querySelector('img');
  const caption = dialog.querySelector<HTMLElement>('[data-caption]');
  const position = dialog.querySelector<HTMLElement>('[data-position]');
  let current = 0;

  /** Shows the picture that the address names. */
  const follow = () => {
    const link = links.find((one) => addressOf(one) === location.hash);
    if (!link || !picture) return dialog.close();
    const { name = '' } = link.dataset;
    current = links.indexOf(link);
    picture.src = link.href;
    picture.alt = name;
    if (caption) caption.textContent = name;
    if (position) position.textContent = `${current + 1} of ${links.length}`;
    dialog.querySelector<HTMLAnchorElement>('[data-original]')?.setAttribute('href', link.href);
    if (!dialog.open) dialog.showModal();
  };
  const step = (by: number) => {
    const next = links[(current + by + links.length) % links.length];
    history.replaceState(history.state, '', addressOf(next));
    follow();
  };

  for (const link of links) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.pushState({ isGallery: true }, '', addressOf(link));
      follow();
    });
  }
  dialog.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const by = button?.dataset['step'];
    if (by !== undefined) step(Number(by));
    else if (button || target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowRight') step(1);
    if (key === 'ArrowLeft') step(-1);
  });
  // The last picture must not show for a moment when another is opened.
  dialog.addEventListener('close', () => {
    picture?.removeAttribute('src');
    links[current]?.focus();
    if (addressOf(links[current]) === location.hash) leave();
  });
  swipe(dialog, step);
  addEventListener('popstate', follow);
  follow();
}

/** Takes the picture out of the address; a picture that was opened on this page is one step of its history. */
function leave(): void {
  if (Object(history.state).isGallery === true) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
}

function addressOf(link: HTMLAnchorElement | undefined): string {
  return `#${encodeURIComponent(link?.dataset['name'] ?? '')}`;
}

const swipePixels = 50;

function swipe(dialog: HTMLDialogElement, go: (step: number) => void): void {
  let from: Touch | undefined;
  dialog.addEventListener('touchstart', ({ touches }) => {
    from = touches.length === 1 ? touches[0] : undefined;
  });
  dialog.addEventListener('touchend', ({ changedTouches: [to] }) => {
    if (!from || !to) return;
    const [right, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(right) > swipePixels && Math.abs(right) > 2 * Math.abs(down))
      go(right > 0 ? -1 : 1);
    from = undefined;
  });
}
