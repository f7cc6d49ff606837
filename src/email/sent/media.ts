/** Whether rules of an `@media` are sent: those whose type begins with all, screen or print, or that name none. */
export function isSentMediaQuery(condition: string): boolean {
  const [type = ''] = condition.split('(', 1);
  return type.trim() === '' || /^\s*(?:only\s+)?(?:all|screen|print)/i.test(type);
}
