/** The element with an id; the page and its scripts are served together, so that one that is missing is a mistake of ours. */
export const element = <Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind => {
  const found = document.querySelector(`#${id}`);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${id}`);
};
