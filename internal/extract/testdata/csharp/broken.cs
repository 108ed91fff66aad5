namespace Demo
{
    using ;

    class Broken : 
    {
        void Before()
        {
            Fine();
            int = ;
            After(1, );
            Still();
        }

        void Unclosed()
        {
            Call(;
            More();
        }

        int Prop { get { return Read(; } set }

        void () { Lost(); }

        void Again(int, string s)
        {
            Found(x.);
            var y = new ;
            o switch { A => B(), => C() };
            if (o is ) D();
        }
    }

    enum { A }

    class Late { void Last() { End();
