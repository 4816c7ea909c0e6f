// Says of a table that it is wider than its place, so that nobody takes the columns that are seen for all of them.

/** Marks a box that scrolls sideways as long as there is something to scroll to. */
export function sayIfItScrolls(box) {
  const look = () => box.classList.toggle('scrolls', box.scrollWidth > box.clientWidth + 1);
  const observer = new ResizeObserver(look);
  observer.observe(box);
  for (const table of box.children) observer.observe(table);
}
