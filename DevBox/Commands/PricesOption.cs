namespace ScaleOut.DevBox.Commands;

/// <summary>The option that names a price file, for what a run costs in Azure.</summary>
internal sealed class PricesOption() : TextOption(
    "--prices", "prices.json", "Price file, such as that of 'devbox plans prices', for what a run costs in Azure.")
{
    /// <summary>The prices; null if no file is named.</summary>
    /// <exception cref="InputException">The file cannot be read, or its content is invalid.</exception>
    public async Task<PriceList?> ReadAsync(CommandInput input, CancellationToken cancellationToken) =>
        input.Value(this) is { } file ? await InputFile.ReadPricesAsync(file, cancellationToken) : null;
}
