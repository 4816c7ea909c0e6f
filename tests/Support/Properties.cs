using FsCheck;
using FsCheck.Fluent;
using Microsoft.FSharp.Core;

namespace ScaleOut.Tests.Support;

/// <summary>Checks properties on the same random cases in every run of the tests.</summary>
public static class Properties
{
    private static readonly Replay Start = new(new Rnd(20_261_121), FSharpOption<int>.None);

    public static void Holds(Property property, int cases = 200) =>
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(cases).WithReplay(FSharpOption<Replay>.Some(Start)));
}
