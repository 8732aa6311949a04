/** Opens the pictures of a folder one at a time, over the page; without it they are plain links. */
const dialog = document.querySelector<HTMLDialogElement>('dialog.lightbox');
const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-gallery] a')];
if (dialog && links.length > 0) openByClick(dialog);

function openByClick(dialog: HTMLDialogElement): void {
  const picture = dialog.querySelector('img');
  const caption = dialog.querySelector<HTMLElement>('[data-caption]');
  const position = dialog.querySelector<HTMLElement>('[data-position]');
  let current = 0;

  const show = (index: number) => {
    current = (index + links.length) % links.length;
    const link = links[current];
    if (!link || !picture) return;
    const { name = '' } = link.dataset;
    picture.src = link.href;
    picture.alt = name;
    if (caption) caption.textContent = name;
    if (position) position.textContent = `${current + 1} of ${links.length}`;
    dialog.querySelector<HTMLAnchorElement>('[data-original]')?.setAttribute('href', link.href);
  };

  for (const [index, link] of links.entries()) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      show(index);
      dialog.showModal();
    });
  }
  dialog.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    const step = button?.dataset['step'];
    if (step !== undefined) show(current + Number(step));
    else if (button || target === dialog) dialog.close();
  });
  dialog.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowRight') show(current + 1);
    if (key === 'ArrowLeft') show(current - 1);
  });
  // The last picture must not show for a moment when another is opened.
  dialog.addEventListener('close', () => {
    picture?.removeAttribute('src');
    links[current]?.focus();
  });
  swipe(dialog, (step) => show(current + step));
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
