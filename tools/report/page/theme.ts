// Light and dark colours. The reader's system chooses until the reader presses the button; style.css has the colours.

import { h } from "./dom.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];

const isDark = (): boolean => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";

/** Runs `repaint` when the colours change: a canvas does not follow them by itself. */
export function onTheme(repaint: () => void): void {
  listeners.push(repaint);
}

/** Returns the current value of a colour of style.css. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function themeButton(): HTMLElement {
  const button = h("button", { type: "button", class: "theme", click: toggle });
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  const change = () => {
    name();
    for (const repaint of listeners) repaint();
  };
  function toggle() {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    change();
  }
  button.setAttribute("aria-label", "Switch between light and dark");
  dark.addEventListener("change", change);
  name();
  return button;
}
