using ScaleOut.Simulator.Engine.Scripts;

namespace ScaleOut.Tests.Simulator.Engine.Scripts;

public sealed class ContainerScriptsTests
{
    /// <summary>Of two clients that read the same definition and replace or delete it on that condition, one succeeds.</summary>
    [Fact]
    public void Replace_OfAnEarlierRevision_FailsIfThatIsACondition()
    {
        var scripts = new ContainerScripts();
        var read = scripts.Create(number => Define(number, number));
        var second = scripts.Replace(read, ifUnchanged: true, revision => Define(read.Number, revision));
        var e = Assert.Throws<RequestException>(
            () => scripts.Replace(read, ifUnchanged: true, revision => Define(read.Number, revision)));
        Assert.Equal(412, e.Status);
        Assert.Equal(412, Assert.Throws<RequestException>(() => scripts.Delete(read, ifUnchanged: true)).Status);
        Assert.Same(second, scripts.Find(ScriptKind.Trigger, "t"));
        var third = scripts.Replace(read, ifUnchanged: false, revision => Define(read.Number, revision));
        Assert.Same(third, Assert.Single(scripts.State.All));
        scripts.Delete(read, ifUnchanged: false);
        Assert.Equal(404, Assert.Throws<RequestException>(() => scripts.Delete(read, ifUnchanged: true)).Status);
    }

    private static ScriptDefinition Define(uint number, uint revision) => new(ScriptKind.Trigger, "t", "", number, revision, 0);
}
