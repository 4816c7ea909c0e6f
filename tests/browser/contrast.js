/** Runs in the page: texts whose contrast with what is behind them is under 4.5 to 1 (WCAG AA); disabled controls may be fainter. */
export function textWithPoorContrast() {
  const parse = colour => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(channel => channel / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.textContent.trim());
    if (!own || node.disabled || !node.checkVisibility() || node.closest('.hidden, .skip, noscript')) continue;
    const style = getComputedStyle(node);
    const [text, back] = [node instanceof SVGElement ? style.fill : style.color, behind(node)]
      .map(colour => luminance(typeof colour === 'string' ? parse(colour) : colour));
    const ratio = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
    if (ratio < 4.5) poor.push(`${node.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return poor;
}
