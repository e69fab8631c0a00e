/// A module of the program itself.
public enum Secrets {
    /// Where it is from.
    public static let origin = "the program's own secrets"
}
