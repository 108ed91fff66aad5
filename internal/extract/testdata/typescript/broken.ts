interface Good { a(): void }
interface { b: string }
class Service { private x: = make(); run(): void { work(); } constructor(private }
enum { A }
namespace { export const lost = 1 }
type = string;
abstract class Kept { abstract f(): void; g() { return this.f(); } }
function over(a: string)
