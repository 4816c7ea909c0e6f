using System.CommandLine;
using ScaleOut.DevBox.Commands;

namespace ScaleOut.Tests.DevBox.Commands;

/// <summary>That a file of rates is read as it was meant, or refused.</summary>
public sealed class PurchaseOptionsTests
{
    private static IEnumerable<int> Hours => Enumerable.Range(0, 24);

    public static TheoryData<string> Files =>
    [
        string.Join('\n', Hours.Select(hour => $"{hour + 100}.5")),
        string.Join('\n', Hours.Select(hour => $"{hour},{hour + 100}.5")),
        "hour;rate\r\n" + string.Join("\r\n", Hours.Select(hour => $"{hour};{hour + 100}.5")),
        "rate\n" + string.Join('\n', Hours.Select(hour => $"{hour + 100}.5")),
        string.Join(',', Hours.Select(hour => $"{hour + 100}.5")) + "\n",
        string.Join("; ", Hours.Select(hour => $"{hour + 100}.5")),
    ];

    /// <summary>Rates with a comma in the number, hours that are not in order, and a third column.</summary>
    public static TheoryData<string> Refused =>
    [
        string.Join('\n', Hours.Select(hour => $"1,{hour + 200}")),
        string.Join('\n', Hours.Select(hour => $"{hour};1,5")),
        string.Join('\n', Hours.Select(hour => $"{23 - hour},{hour}")),
        string.Join('\n', Hours.Select(hour => $"{hour},{hour},{hour}")),
        string.Join('\n', Hours.Select(hour => $"{hour}:00,{hour}")),
    ];

    [Theory]
    [MemberData(nameof(Files))]
    public async Task ReadProfileAsync_File_HasTheRateOfEachHour(string text) =>
        Assert.Equal(Hours.Select(hour => hour + 100.5), await ReadAsync(text));

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task ReadProfileAsync_AmbiguousFile_IsRefused(string text)
    {
        var refused = await Assert.ThrowsAsync<InputException>(() => ReadAsync(text));
        AssertText.Has(refused.Message, "line 24 of the rates, is neither a rate nor the hour 23 and its rate");
    }

    private static async Task<IReadOnlyList<double>?> ReadAsync(string text)
    {
        using var folder = new TemporaryFolder();
        var path = Path.Combine(folder.Path, "rates");
        await File.WriteAllTextAsync(path, text, TestContext.Current.CancellationToken);
        var options = new PurchaseOptions();
        var command = new Command("size");
        foreach (var option in options.All)
            command.Add(option);
        var input = new CommandInput(command.Parse([PurchaseOptions.ProfileOption, path]), []);
        return await options.ReadProfileAsync(input, readsFiles: true, TestContext.Current.CancellationToken);
    }
}
