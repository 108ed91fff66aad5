package resolve

import "testing"

// TestCSharp resolves small programs: the calls of each, with the rule that
// found them.
func TestCSharp(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"namespaces of both forms, those around are seen", map[string]string{
			"A.cs": `namespace N.Core { public class A { public static void F() { B.G(); N.Far.H(); } } class B { public static void G() {} } }`,
			"B.cs": `namespace N; public class Far { public static void H() { Core.A.F(); } }`,
			"C.cs": `namespace N.Core.Deep; class C { void M() { A.F(); Far.H(); Other.X(); } }`,
		}, []string{
			"N.Core.A.F -> N.Core.B.G [qualified]", "N.Core.A.F -> Far.H [qualified]", "Far.H -> N.Core.A.F [qualified]",
			"C.M -> N.Core.A.F [qualified]", "C.M -> Far.H [qualified]", "C.M -> Other.X (outside)",
		}},
		{"usings: plain, static, alias, global", map[string]string{
			"A.cs": `namespace Lib { public class A { public static void F() {} public class In { public void Go() {} } } public class G { public static void H() {} } }`,
			"B.cs": `using Lib; class B { void M() { A.F(); } }`,
			"C.cs": `using static Lib.A; class C { void M() { F(); } }`,
			"D.cs": `using X = Lib.A; using Y = Lib; class D { void M() { X.F(); Y.A.F(); new X.In().Go(); } }`,
			"E.cs": `global using Everywhere;`,
			"F.cs": `namespace Everywhere { public class W { public static void Z() {} } }`,
			"H.cs": `class H { void M() { W.Z(); } }`,
		}, []string{
			"B.M -> Lib.A.F [qualified]", "C.M -> Lib.A.F [import]", "D.M -> Lib.A.F [qualified]", "D.M -> Lib.A.In [constructor]",
			"D.M -> Lib.A.In.Go [receiver]", "H.M -> Everywhere.W.Z [qualified]",
		}},
		{"a property named like its type", map[string]string{
			"A.cs": `class Paint { public static Paint Plain() => null; public void Mix() {} } class Cube { public Paint Paint { get; set; } void M() { Paint.Plain(); Paint.Mix(); new Paint(); } }`,
		}, []string{"Cube.M -> Paint.Plain [receiver]", "Cube.M -> Paint.Mix [receiver]", "Cube.M -> Paint [constructor]"}},
		{"extension methods of what is extended only", map[string]string{
			"A.cs": `using System.Collections.Generic; static class E { public static void Shout(this string s, int n = 1) {} public static void Run(this Dog d) {} public static T Head<T>(this IEnumerable<T> all) => default; }
				class Dog { public void Bark() {} } class Pup : Dog {} class Cat {}
				class U { void M(string s, Pup p, Cat c, List<Dog> all, int n) { s.Shout(); "x".Shout(2); p.Run(); c.Run(); all.Head().Bark(); n.Shout(); E.Run(p); } }`,
		}, []string{
			"U.M -> E.Shout [receiver]", "U.M -> E.Run [receiver]", "U.M -> c.Run (loose)", "U.M -> E.Head [receiver]", "U.M -> Dog.Bark [receiver]",
			"U.M -> int.Shout (outside)", "U.M -> E.Run [qualified]",
		}},
		{"only what is virtual may be another's", map[string]string{
			"A.cs": `class A { public void Plain() {} public virtual void Virt() {} void M(A a) { a.Plain(); a.Virt(); Virt(); } } class B : A { public new void Plain() {} public override void Virt() { base.Virt(); } }`,
		}, []string{"A.M -> A.Plain [receiver]", "A.M -> A.Virt [receiver]", "A.M -> B.Virt [implementors]", "A.M -> A.Virt [self]", "A.M -> B.Virt [self]", "B.Virt -> A.Virt [self]"}},
		{"events and delegates", map[string]string{
			"A.cs": `using System; delegate int Op(int n); class A { public event Action Done; public Op Kept; void Fire() { Done?.Invoke(); Done(); Kept(1); } }
				class B { void Set(A a) { a.Done += Handle; var c = new A { Kept = Twice }; } void Handle() {} int Twice(int n) => n; int Use(Op f) => f(2); void Pass() { Use(Twice); Use(n => Twice(n)); } }`,
		}, []string{
			"A.Fire -> B.Handle [value]", "A.Fire -> B.Twice [value]", "B.Set -> A [constructor]", "B.Use -> B.Twice [value]", "B.Use -> B.Pass.<lambda1> [value]",
			"B.Pass -> B.Use [self]", "B.Pass.<lambda1> -> B.Twice [self]",
		}},
		{"partial classes are one, a static constructor is not called", map[string]string{
			"A.cs": `partial class A { static A() { S(); } public A(int n) {} void M() { N(); new A(1); } }`,
			"B.cs": `partial class A : Base { void N() { Up(); } static void S() {} } class Base { protected void Up() {} }`,
		}, []string{"A.A -> A.S [self]", "A.M -> A.N [self]", "A.M -> A.A [constructor]", "A.N -> Base.Up [self]"}},
		{"what is awaited, taken apart and indexed", map[string]string{
			"A.cs": `using System.Threading.Tasks; class Dog { public void Bark() {} } class Kennel { public Dog this[int i] => null; public void Deconstruct(out Dog a, out Dog b) { a = b = null; } }
				class U { async Task<Dog> Find() => new Dog(); (Dog, int) Two() => (null, 1); async void M(Kennel k) { (await Find()).Bark(); k[0].Bark(); var (x, y) = k; y.Bark(); var (d, _) = Two(); d.Bark(); } }`,
		}, []string{"U.Find -> Dog [constructor]", "U.M -> U.Find [self]", "U.M -> U.Two [self]", "U.M -> Dog.Bark [receiver]", "U.M -> Kennel.Deconstruct [receiver]"}},
		{"operators and conversions of a type's own", map[string]string{
			"A.cs": `struct V { public static V operator +(V a, V b) => a; public static V operator -(V a) => a; public static explicit operator V(int n) => default; public void Go() {} }
				class U { void M(V a, V b, int i) { (a + b).Go(); a += b; var c = -a; var d = (V)3; var e = i + i; var o = (V)(object)a; } }`,
		}, []string{"U.M -> V.operator + [receiver]", "U.M -> V.operator - [receiver]", "U.M -> V.operator V [receiver]", "U.M -> V.Go [receiver]"}},
		{"what loops, ends and braces imply", map[string]string{
			"A.cs": `using System; class D : IDisposable { public void Dispose() {} } class B { public void Add(int n) {} public It GetEnumerator() => new It(); } class It { public bool MoveNext() => false; }
				class U { void M(int[] all) { using var d = new D(); foreach (var x in new B { 1 }) {} foreach (var y in all) {} } }`,
		}, []string{"B.GetEnumerator -> It [constructor]", "U.M -> D [constructor]", "U.M -> D.Dispose [receiver]", "U.M -> B [constructor]", "U.M -> B.Add [receiver]", "U.M -> B.GetEnumerator [receiver]", "U.M -> It.MoveNext [receiver]"}},
		{"what generic names stand for", map[string]string{
			"A.cs": `interface I {} class A : I { } class R<T> where T : I, new() { T Make() => new T(); } class RA : R<A> {} class E<T> { public T Me() => default; } class P : E<P> { public void Go() {} }
				class U { T Create<T>() where T : new() => new T(); void M() { Create<P>(); new P().Me().Go(); } }`,
		}, []string{"R.Make -> A [constructor]", "U.Create -> P [constructor]", "U.M -> U.Create [self]", "U.M -> P [constructor]", "U.M -> E.Me [receiver]", "U.M -> P.Go [receiver]"}},
		{"circles end", map[string]string{
			"A.cs": `using A = B; using B = A; class X : Y { void F() { G(); } } class Y : X { protected void G() { Q.R(); } }`,
		}, []string{"X.F -> Y.G [self]", "Y.G -> Q.R (outside)"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantCalls(t, program(t, c.files), c.want...) })
	}
}
