namespace ScaleOut.Tests.Workers.Operations;

public sealed class ActionOperationTests
{
    private static readonly IReadOnlyList<WorkloadKind> Steps =
        [WorkloadKind.Insert, WorkloadKind.Read, WorkloadKind.Upsert, WorkloadKind.Patch];

    private static readonly AttemptResponse Done = new(AttemptKind.Succeeded, 200, 0, RequestUnits.From(1), default, null);

    private readonly List<Noted> _steps = [];

    /// <summary>Two documents of each action come after the 100 that were there before.</summary>
    [Fact]
    public void Prepare_Action_GivesWritesNumbersOfTheirOwnAndTheOthersTheActionsNumber()
    {
        using var action = Action();
        action.Prepare(7, 1);
        Assert.Equal([100 + 14, 7, 100 + 15, 7], _steps.Select(step => step.Number));
        action.Prepare(8, 1);
        Assert.Equal([100 + 16, 8, 100 + 17, 8], _steps.Select(step => step.Number));
    }

    [Fact]
    public async Task NextPart_StepsThatSucceed_AreDoneInTheirOrder()
    {
        using var action = Action();
        for (var round = 0; round < 2; round++)
        {
            action.Prepare(round, 1);
            for (var step = 0; step < Steps.Count; step++)
            {
                Assert.Equal((step, step, 10 * step), (action.Part, action.Partition, action.PartBytes));
                await action.TryAsync();
                Assert.Equal(step < Steps.Count - 1, action.NextPart());
            }
        }

        Assert.Equal([2, 2, 2, 2], _steps.Select(step => step.Tries));
    }

    [Fact]
    public async Task NextPart_StepThatFails_EndsTheActionAndNotTheNextOne()
    {
        using var action = Action();
        action.Prepare(0, 1);
        await action.TryAsync();
        Assert.True(action.NextPart());
        _steps[1].Response = Done with { Kind = AttemptKind.Failed, Status = 404 };
        await action.TryAsync();
        Assert.False(action.NextPart());

        action.Prepare(1, 1);
        Assert.Equal(0, action.Part);
        await action.TryAsync();
        Assert.True(action.NextPart());
        Assert.Equal([2, 1, 0, 0], _steps.Select(step => step.Tries));
    }

    [Fact]
    public void Dispose_Action_DisposesOfEachStep()
    {
        Action().Dispose();
        Assert.All(_steps, step => Assert.True(step.IsDisposed));
    }

    private ActionOperation Action() => new(Steps, firstWritten: 100, _ =>
    {
        _steps.Add(new Noted(_steps.Count));
        return _steps[^1];
    });

    private sealed class Noted(int index) : IWorkloadOperation
    {
        public AttemptResponse Response { get; set; } = Done;

        public long Number { get; private set; }

        public int Tries { get; private set; }

        public bool IsDisposed { get; private set; }

        public int Partition => index;

        public int PartBytes => 10 * index;

        public void Prepare(long first, int count) => Number = first;

        public Task SendAsync()
        {
            Tries++;
            return Task.CompletedTask;
        }

        public AttemptResponse Read() => Response;

        public void Dispose() => IsDisposed = true;
    }
}
