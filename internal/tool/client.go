package tool

import "chitta/internal/moment"

// clientTools are the operations for the moments of a session.
func clientTools() []Def {
	const g = GroupClient
	return []Def{
		define("hook", g, "Take an event of the client and return what to hand to its agent, if anything. Called by chitta hook.", (*moment.Keeper).Attend, textJSON[moment.Answer], peopleOnly),
	}
}
