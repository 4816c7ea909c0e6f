namespace ScaleOut.Validation;

/// <summary>Paths of fields, such as <c>simulation.faults[0].status</c>.</summary>
public static class SpecPath
{
    public static string Field(string parent, string name)
    {
        if (name.Length == 0 || name.Any(letter => !char.IsLetterOrDigit(letter) && letter is not ('_' or '$' or '-')))
            return $"{parent}[{ErrorText.Quote(name)}]";
        return parent.Length == 0 ? name : $"{parent}.{name}";
    }

    public static string Item(string parent, int index) => $"{parent}[{index}]";
}
