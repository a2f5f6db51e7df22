/* What a person would see on a page, for tests: texts without contrast, labels over each other, what is cut off. */
(() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const paint = canvas.getContext("2d", { willReadFrequently: true });

  /* Any CSS colour as red, green, blue and alpha, 0 to 1. */
  const read = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, at) => part * a + below[at] * (1 - a));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const chain = (element) => (element ? [...chain(element.parentElement), element] : []);
  const below = (element) =>
    chain(element).reduce((shown, one) => over(read(getComputedStyle(one).backgroundColor), shown), [1, 1, 1]);
  const opacity = (element) => chain(element).reduce((all, one) => all * getComputedStyle(one).opacity, 1);
  const isSeen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getClientRects().length &&
    getComputedStyle(element).clipPath === "none";

  /* Texts with less contrast than WCAG AA asks for; what is disabled or decoration aside. */
  const faint = () => {
    const found = [];
    for (const element of document.querySelectorAll("main *, footer *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      if (!own || !isSeen(element) || element.closest("[aria-hidden=true], svg, .md-clipboard")) continue;
      const style = getComputedStyle(element);
      const ground = below(element);
      const [r, g, b, a] = read(style.color);
      const ratio = contrast(over([r, g, b, a * opacity(element)], ground), ground);
      const size = parseFloat(style.fontSize);
      const least = size >= 24 || (size >= 18.6 && style.fontWeight >= 700) ? 3 : 4.5;
      if (ratio < least) found.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${element.innerText}`);
    }
    return [...new Set(found)];
  };

  /* Texts of drawings that lie over each other. */
  const covered = () => {
    const found = [];
    for (const drawing of document.querySelectorAll("main svg")) {
      const boxes = [...drawing.querySelectorAll("text")].filter(isSeen).map((text) => [text.textContent, text.getBoundingClientRect()]);
      boxes.forEach(([name, one], at) => {
        for (const [other, two] of boxes.slice(at + 1)) {
          const apart = one.right <= two.left + 1 || two.right <= one.left + 1 || one.bottom <= two.top + 1 || two.bottom <= one.top + 1;
          if (!apart) found.push(`${name} / ${other}`);
        }
      });
    }
    return found;
  };

  /* What stands outside of the window and cannot be scrolled to within a part of the page. */
  const outside = () => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element) => chain(element).some((one) => /auto|scroll/.test(getComputedStyle(one).overflowX));
    return [...document.querySelectorAll("main :is(p, li, td, th, h1, h2, h3, pre, code, img, table, a, summary)")]
      .filter((element) => isSeen(element) && element.getBoundingClientRect().right > width + 1 && !scrolls(element))
      .map((element) => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`);
  };

  return { faint: faint(), covered: covered(), outside: outside(), wide: document.documentElement.scrollWidth };
})()
