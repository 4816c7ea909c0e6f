// Shows that a table is wider than its box, so that nobody takes the visible columns for all of them.

/** Marks a box that scrolls horizontally while there is more to scroll to. */
export function sayIfItScrolls(box) {
  const look = () => box.classList.toggle('scrolls', box.scrollWidth > box.clientWidth + 1);
  const observer = new ResizeObserver(look);
  observer.observe(box);
  for (const table of box.children) observer.observe(table);
}
