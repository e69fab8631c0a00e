/// All acts that run as jobs.
enum JobKinds {
    static let all: [any JobbedAct.Type] = []
}
