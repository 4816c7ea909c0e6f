using ScaleOut.DevBox.Commands;

namespace ScaleOut.Tests.DevBox.Commands;

public sealed class SizeSourceTests
{
    /// <summary>A spec says what its account charges, how consistent and how fast it is, beside what its documents are.</summary>
    [Fact]
    public void DocumentFieldsOf_Spec_HasWhatDecidesItsCharges()
    {
        var given = JsonNode.Parse(
            """
            {"document": {"template": {"id": "{{id}}"}}, "container": {"partitionKeyPath": "/id"}, "client": {"consistency": "Strong"},
             "simulation": {"latency": "cross-region", "charges": {"systemPropertyBytes": 1}}}
            """)!.AsObject();
        string[] ofAccount = ["client.consistency", "simulation.charges", "simulation.latency"];
        var with = SizeSource.DocumentFieldsOf(given, withAccount: true).Select(field => field.Key);
        var without = SizeSource.DocumentFieldsOf(given, withAccount: false).Select(field => field.Key);
        Assert.Equal(["container.partitionKeyPath", "document"], without.Order());
        Assert.Equal(without.Concat(ofAccount).Order(), with.Order());
    }
}
