// Light and dark. The reader's system decides until the button does; style.css has the colours.

import { h } from "./dom.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];

const isDark = (): boolean => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";

/** Runs `repaint` when the colours change; what is drawn on a canvas does not follow by itself. */
export function onTheme(repaint: () => void): void {
  listeners.push(repaint);
}

/** The value of a colour of style.css now. */
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
