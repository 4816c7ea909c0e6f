namespace ScaleOut.Tests.Shared.Measurement;

public sealed class LegResultRulesTests
{
    /// <summary>A leg of 40 documents from 110 on: 5 were done before, and 3 were done ahead of 150.</summary>
    private static LegResult Sound { get; } = Legs.Leg(inserted: 30, alreadyPresent: 6, failed: 2) is var leg
        ? leg with
        {
            Output = leg.Output with { Next = 150 },
            Range = new(new NumberRange(100, 100), 110, [new(120, 5)]),
            DoneAhead = [new(160, 2), new(165, 1)],
        }
        : null!;

    [Fact]
    public void ContradictionIn_SoundResult_IsNone() => Assert.Null(LegResultRules.ContradictionIn(Sound));

    /// <summary>Each leg is at a limit of what is possible.</summary>
    [Fact]
    public void ContradictionIn_ResultAtItsLimits_IsNone()
    {
        var (nothing, all) = (Legs.Leg(), Legs.Leg(inserted: 100));
        LegResult[] sound =
        [
            // A worker without documents, and one whose earlier legs have done them all.
            nothing,
            nothing with { Output = nothing.Output with { Next = 100 }, Range = new(new NumberRange(0, 100), 100, []) },
            // A leg that did nothing, and one that did everything.
            nothing with { Range = new(new NumberRange(0, 100), 0, []) },
            all,
            // Everything but the first document was done before, and the leg did that one.
            Legs.Leg(inserted: 1) with
            {
                Range = new(new NumberRange(0, 100), 0, [new(1, 99)]), Output = Legs.Leg(inserted: 1).Output with { Next = 100 },
            },
            // Two ranges were done ahead that touch each other and both ends.
            Legs.Leg(inserted: 100) with
            {
                Output = all.Output with { Next = 0 }, DoneAhead = [new(0, 60), new(60, 40)],
            },
        ];

        Assert.All(sound, leg => Assert.Null(LegResultRules.ContradictionIn(leg)));
    }

    [Fact]
    public void ContradictionIn_ImpossibleResult_IsNamed()
    {
        const string overlap = "its ranges of documents that were done ahead overlap, or lie outside its slice";
        var (output, range) = (Sound.Output, Sound.Range);
        (LegResult Result, string Reason)[] contradictions =
        [
            (Sound with { Output = output with { Next = 201 } },
                "its next document is 201, outside what it was given (documents 110 to 199)"),
            (Sound with { Output = output with { Next = 109 } },
                "its next document is 109, outside what it was given (documents 110 to 199)"),
            (Sound with { Range = range with { First = 99 } },
                "it begins at document 99, outside its worker's slice (documents 100 to 199)"),
            (Sound with { DoneAhead = [new(199, 2)] }, overlap),
            (Sound with { DoneAhead = [new(160, 2), new(161, 1)] }, overlap),
            (Sound with { Range = range with { DoneBefore = [new(120, 5), new(120, 5)] } }, overlap),
            (Sound.With(counts => counts with { Inserted = 31 }), "it counts 39 documents as done, but its ranges are those of 38"),
            (Sound.With(counts => counts with { Inserted = 40, Failed = -8 }), "it has a count below zero"),
            (Sound.With(counts => counts with { AlreadyPresent = 37, Inserted = -1 }), "it has a count below zero"),
            (Sound.With(counts => counts with { Inserted = 37, AlreadyPresent = -1 }), "it has a count below zero"),
            (Sound with { Attempt = 0 }, "it has a count below zero"),
            (Sound with { Range = range with { Slice = new(-1, 200) } },
                "it begins at document 110, outside its worker's slice (documents -1 to 198)"),
            (Sound with { Range = range with { Slice = new(110, -1) } },
                "it begins at document 110, outside its worker's slice (documents 110 to 108)"),
            (Sound with { Range = range with { DoneBefore = [new(109, 5)] } }, overlap),
            (Sound with { DoneAhead = [new(160, 3), new(170, 0)] }, overlap),
        ];

        Assert.All(contradictions, one => Assert.Equal(one.Reason, LegResultRules.ContradictionIn(one.Result)));
    }
}
