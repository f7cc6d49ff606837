/** Returns whether the service sends rules of an `@media`: those without a media type, or whose type starts with all, screen or print. */
export function isSentMediaQuery(condition: string): boolean {
  const [type = ''] = condition.split('(', 1);
  return type.trim() === '' || /^\s*(?:only\s+)?(?:all|screen|print)/i.test(type);
}
