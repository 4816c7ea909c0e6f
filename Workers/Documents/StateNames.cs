namespace ScaleOut.Workers.Documents;

/// <summary>Names of the states that airports of generated flights lie in.</summary>
internal static class StateNames
{
    private static readonly Dictionary<string, string> Names =
        ("AK Alaska|AL Alabama|AR Arkansas|AZ Arizona|CA California|CO Colorado|CT Connecticut|FL Florida|GA Georgia|HI Hawaii|IA Iowa|ID Idaho|IL Illinois|IN Indiana|KS Kansas|KY Kentucky|"
        + "LA Louisiana|MA Massachusetts|MD Maryland|MI Michigan|MN Minnesota|MO Missouri|NC North Carolina|NE Nebraska|NJ New Jersey|NM New Mexico|NV Nevada|NY New York|OH Ohio|OK Oklahoma|"
        + "OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|TN Tennessee|TX Texas|UT Utah|VA Virginia|VT Vermont|WA Washington|WI Wisconsin")
        .Split('|').ToDictionary(entry => entry[..2], entry => entry[3..]);

    /// <exception cref="KeyNotFoundException">No airport of the list lies there.</exception>
    public static string Of(string state) => Names[state];
}
