/** Shows the buttons that copy, which need a script, and lets them say that they did. */
export const connectScript = String.raw`(() => {
'use strict';
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.onclick = async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  };
}
})();`;
