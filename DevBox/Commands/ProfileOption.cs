namespace ScaleOut.DevBox.Commands;

/// <summary>The option that gives the simulated account the physics of a measured one.</summary>
internal sealed class ProfileOption() : TextOption(
    "--profile", "profile.json",
    "Gives the simulated account the physics that 'profile' or 'calibrate' made; other options go before it.")
{
    /// <summary>The profile; null if none is named.</summary>
    /// <exception cref="InputException">The profile cannot be used.</exception>
    public async Task<AccountProfile?> ReadAsync(CommandInput input, RunTarget target, CancellationToken cancellationToken)
    {
        if (input.Value(this) is not { } file)
            return null;
        if (target == RunTarget.OtherAccount)
            throw new InputException($"{Name}: only for the simulated account, not beside --account.");
        return await ReadAsync(file, Name, cancellationToken);
    }

    /// <exception cref="InputException">The profile is missing, damaged, or of another version.</exception>
    public static async Task<AccountProfile> ReadAsync(string file, string option, CancellationToken cancellationToken)
    {
        var text = await InputFile.ReadAsync(file, "profile", cancellationToken);
        try
        {
            return ProfileFile.Read(System.Text.Encoding.UTF8.GetBytes(text));
        }
        catch (EvidenceException e)
        {
            throw new InputException(
                $"{option}: {file} cannot be used: {OneLine.From(e.Reason)}. Measure the account again with 'calibrate'.");
        }
    }
}
